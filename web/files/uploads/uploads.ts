import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { createStore } from '../../kit/frame/store.ts'
import { filesApi } from '../api.ts'
import { type Begun, beginOrResume, letGo, type Target } from './resumable.ts'

export interface Upload {
  id: number
  file: File
  target: Target
  /** Bytes that the server has stored. */
  sent: number
  state: 'waiting' | 'sending' | 'broken' | 'done' | 'failed'
  /** Error, or when the next attempt starts. */
  message?: string
}

/** Maximum of parallel uploads; more would share the same bandwidth. */
const AT_ONCE = 2
/** Milliseconds before each new attempt after an interruption; the last one repeats. */
const PAUSES = [1000, 2000, 5000, 10_000, 20_000]

/** Running uploads. The store outlives the screen that started them. */
export const uploadStore = createStore<readonly Upload[]>([])
let last = 0
const stops = new Map<number, AbortController>()

const change = (id: number, more: Partial<Upload>) =>
  uploadStore.set(uploadStore.get().map((upload) => (upload.id === id ? { ...upload, ...more } : upload)))

export function addUploads(files: readonly File[], target: Target): void {
  const added = files.map((file): Upload => {
    last += 1
    return { id: last, file, target, sent: 0, state: 'waiting' }
  })
  uploadStore.set([...uploadStore.get(), ...added])
  pump()
}

/** Cancels an upload and deletes its partial data. */
export function cancelUpload(id: number): void {
  stops.get(id)?.abort()
  uploadStore.set(uploadStore.get().filter((upload) => upload.id !== id))
  pump()
}
export const retryUpload = (id: number): void => {
  change(id, { state: 'waiting', message: undefined })
  pump()
}
export const clearDone = (): void => uploadStore.set(uploadStore.get().filter(({ state }) => state !== 'done'))

function pump(): void {
  const room = AT_ONCE - stops.size
  for (const upload of uploadStore
    .get()
    .filter(({ state }) => state === 'waiting')
    .slice(0, Math.max(0, room)))
    void run(upload)
}

async function run({ id, file, target }: Upload): Promise<void> {
  const stop = new AbortController()
  stops.set(id, stop)
  change(id, { state: 'sending' })
  try {
    await send(id, file, target, stop.signal)
    change(id, { state: 'done', sent: file.size })
    void readAgain(['files'])
  } catch (error) {
    if (!stop.signal.aborted)
      change(id, { state: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    stops.delete(id)
    pump()
  }
}

/**
 * Sends a file, resuming an earlier upload. After an interruption, asks the server for the stored offset and continues
 * there.
 */
async function send(id: number, file: File, target: Target, signal: AbortSignal): Promise<void> {
  let begun: Begun | undefined
  const giveUp = () => begun && void filesApi.cancelUpload({ id: begun.id }).catch(() => undefined) // expires after a day
  signal.addEventListener('abort', giveUp)
  for (let failures = 0; ; ) {
    try {
      begun ??= await beginOrResume(file, target)
      signal.throwIfAborted()
      const { id: upload, offset } = begun
      const answer = await filesApi.continueUpload(
        { id: upload, offset, content: file.slice(offset) },
        { signal, onProgress: (sent) => change(id, { state: 'sending', message: undefined, sent: offset + sent }) },
      )
      if (answer.file) return signal.removeEventListener('abort', giveUp)
      failures = answer.offset > offset ? 0 : failures + 1
      begun = { id: upload, offset: answer.offset }
    } catch (error) {
      if (signal.aborted || !mayGoOn(error)) {
        if (begun) letGo(begun.id) // another attempt for this file can resume it
        throw error
      }
      const pause = PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 20_000
      failures += 1
      change(id, { state: 'broken', message: 'The connection broke. The upload continues by itself.' })
      await wait(pause, signal)
      begun &&= await askOffset(begun)
      if (begun) change(id, { sent: begun.offset })
    }
  }
}

/** Whether the error is temporary: a lost connection, a busy server or a competing request. */
const mayGoOn = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 409 || (error.status >= 502 && !isFull(error)))
const isFull = ({ message }: ApiError) => message.includes('no room left')

const askOffset = (known: Begun): Promise<Begun> => filesApi.uploadState({ id: known.id }).catch(() => known) // the next attempt asks again

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
