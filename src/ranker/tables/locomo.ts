export const LOCOMO = '{"format":"agidb-ranker","version":1,"name":"locomo","trainedOn":"","licence":"","models":{}}'
