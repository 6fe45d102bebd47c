/** The session and the source of what is perceived on the page. */
export const HERE = 'this page'
