// A graph that remembers, with LangGraph: npm install agidb @langchain/core @langchain/langgraph
import { AIMessage } from '@langchain/core/messages'
import { END, type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { Agidb } from 'agidb'
import { MemoryRetriever, MemoryStore } from 'agidb/langchain'

const db = await Agidb.open({ path: './memory.agidb' })
const store = new MemoryStore(db)
const retriever = new MemoryRetriever(db, { recall: { k: 3 } })

// A node that says what it is given. Put a model here.
async function answer(state: typeof MessagesAnnotation.State, { store, runId }: LangGraphRunnableConfig) {
  const question = state.messages.at(-1)!.text
  const remembered = await retriever.invoke(question)
  await store!.put(['chat', 'ann'], String(runId), { text: question })
  return { messages: [new AIMessage(`I was given: ${remembered.map((found) => found.pageContent).join('\n')}`)] }
}

const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', answer)
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile({ store })

await graph.invoke({ messages: ['Sarah recommended Bawri, a thai place in Bandra.'] })
const { messages } = await graph.invoke({ messages: ['Which thai place was it?'] })
console.log(messages.at(-1)!.text)
await db.close()
