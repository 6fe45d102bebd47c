/** A format that the readers know. */
export type TranscriptFormat = 'jsonl' | 'plain' | 'whatsapp' | 'chatgpt' | 'claude' | 'mem0' | 'zep' | 'letta'

/** What a format is called and what a right line of it looks like, for messages to people. */
export interface FormatDescription {
  readonly title: string
  readonly example: string
}

/** The formats, in the order in which they are tried on a file. */
export const FORMATS: Readonly<Record<TranscriptFormat, FormatDescription>> = {
  jsonl: {
    title: 'JSON lines',
    example: '{"at": "2026-05-01T19:00:00Z", "speaker": "Sarah", "text": "Try Bawri."}',
  },
  chatgpt: {
    title: 'a ChatGPT conversations.json',
    example: '[{"title": "…", "current_node": "…", "mapping": {…}}, …]',
  },
  claude: {
    title: 'a Claude conversations.json',
    example: '[{"uuid": "…", "name": "…", "chat_messages": […]}, …]',
  },
  mem0: {
    title: 'memories of mem0',
    example: '{"results": [{"id": "…", "memory": "Likes thai food", "user_id": "ann"}, …]}',
  },
  zep: {
    title: 'messages and facts of Zep',
    example: '{"messages": [{"role": "user", "name": "Ann", "content": "…"}, …]} or [{"fact": "…"}, …]',
  },
  letta: {
    title: 'an agent file of Letta',
    example: '{"agents": [{"name": "…", "messages": […]}], "blocks": […]}',
  },
  whatsapp: {
    title: 'a WhatsApp export',
    example: '31/12/2026, 23:59 - Sarah: Try Bawri.',
  },
  plain: {
    title: 'plain lines',
    example: 'Sarah: Try Bawri.   or   [2026-05-01 19:00] Sarah: Try Bawri.',
  },
}
