import { readAgain } from '../../../kit/api/readAgain.ts'
import { createStore } from '../../../kit/frame/store.ts'
import type { Target } from './resumable.ts'
import { sendWhole } from './sending.ts'

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
    await sendWhole(file, target, stop.signal, (now) => change(id, now))
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
