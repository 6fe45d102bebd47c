/** The time at which the tests take place: 2027-01-15T08:00:00Z. */
export const NOW = 1_800_000_000_000
