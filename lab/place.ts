import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Minutes for which practice servers go on after the Innkeeper that started them has died. */
const ORPHAN_MIN = 15

/** A socket in Linux's abstract namespace, which only the program with the practice servers of a folder listens on. */
const placeOf = (dir: string) => `\0innkeeper-practice-${createHash('sha256').update(dir).digest('hex').slice(0, 32)}`

/** The place of the program with the practice servers of a folder. */
export interface Place {
  /** Waits for another start on this folder, which waits for our end, or for the end of the patience. Answers whether one has come. */
  heir(): Promise<boolean>
}

/** Takes the place. A program whose Innkeeper has died leaves it, with the hosts running, and is waited for. */
export async function takePlace(dir: string): Promise<Place> {
  const server = createServer()
  const came = new Promise<true>((resolve) => server.on('connection', () => resolve(true)))
  for (;;) {
    try {
      server.listen(placeOf(dir))
      await once(server, 'listening')
      return { heir: () => Promise.race([came, patience()]) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      const former = connect(placeOf(dir))
      await new Promise((resolve) => former.on('error', resolve).on('close', resolve).resume())
    }
  }
}

const patience = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), ORPHAN_MIN * 60_000))
