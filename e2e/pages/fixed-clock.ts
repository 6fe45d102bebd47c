/** The time at which the tests that compare runtimes take place. */
export const NOW = Date.UTC(2024, 11, 1, 12)

Date.now = () => NOW
