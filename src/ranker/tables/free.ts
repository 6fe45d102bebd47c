export const FREE = '{"format":"agidb-ranker","version":1,"name":"free","trainedOn":"","licence":"","models":{}}'
