/** Where Ollama listens unless it is told otherwise. */
export const OLLAMA_URL = 'http://localhost:11434'
