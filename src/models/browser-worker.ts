import { wrap } from 'comlink'
import { invalid } from '../api/check.js'
import { AgidbError, type ErrorCode } from '../base/errors.js'
import type { ModelThread } from './calls.js'
import type { EncoderWorker } from './options.js'
import { reasonOf } from './runtime.js'

/** What a worker serves in messages, such as "the sentence encoder", and the code of its errors. */
interface Served {
  readonly name: string
  readonly code: ErrorCode
}

/**
 * Starts a worker that exposes the host of a model.
 *
 * @param given the option `worker`: a worker, or a function that makes one
 * @param make makes the worker where the options bring none
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for `false`; that of what is served when the worker cannot be started
 */
export function startWorker<Host>(
  { name, code }: Served,
  given: false | EncoderWorker | (() => EncoderWorker) | undefined,
  make: () => Worker,
): ModelThread<Host> & { onFailure(failed: (error: AgidbError) => void): void } {
  if (given === false)
    throw invalid(`worker cannot be false in a browser: ${name} would hold up the page`, { option: 'worker' })
  const worker = made()
  return {
    host: wrap<Host>(worker) as unknown as Host,
    end: () => worker.terminate(),
    onFailure(failed) {
      const because = (reason: string) => failed(new AgidbError(code, `the worker of ${name} failed: ${reason}`))
      worker.addEventListener('error', ({ message }) => because(message || 'its script could not be loaded'))
      worker.addEventListener('messageerror', () => because('an answer of it could not be read'))
    },
  }

  function made(): Worker {
    try {
      return given === undefined ? make() : ((typeof given === 'function' ? given() : given) as Worker)
    } catch (cause) {
      throw new AgidbError(code, `the worker of ${name} could not be started: ${reasonOf(cause)}`, {}, { cause })
    }
  }
}
