/**
 * Signatures of each arena that are kept in rows beside the columns, 128 MiB: a recall looks at some hundred candidates and
 * their neighbours from every side, which from columns alone would take as long as a scan. In a larger memory their
 * signatures are read from the storage.
 */
export const ROWS = 131_072
