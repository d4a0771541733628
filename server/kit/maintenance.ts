import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Db, openDatabase } from './db.ts'
import type { Settings } from './settings.ts'

/** A task of an operator, run where the database is open. */
export type Task = (db: Db, say: (line: string) => void) => Promise<void>

const socketOf = ({ dataDir }: Settings) => join(dataDir, 'maintenance.sock')

/** The embedded database is one process: while Innkeeper runs, tasks go through it, over a socket that only its user opens. */
export async function offerTasks(settings: Settings, db: Db, tasks: Record<string, Task>): Promise<() => void> {
  const path = socketOf(settings)
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    const lines = createInterface({ input: socket })
    lines.on('error', () => socket.destroy()) // readline tells its input's errors again
    lines.once('line', (name) => {
      const task = tasks[name]
      const work = task ? task(db, (line) => socket.write(`${line}\n`)) : Promise.reject(new Error(`no task ${name}`))
      work.then(
        () => socket.end('.\n'),
        (error: unknown) => socket.end(`!${error instanceof Error ? error.message : String(error)}\n`),
      )
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return () => server.close()
}

/** From a command: through the running Innkeeper where the database is embedded and in use, else directly. */
export async function runTask(settings: Settings, name: string, task: Task): Promise<void> {
  if (settings.embedded && (await throughRunning(socketOf(settings), name))) return
  const database = await openDatabase(settings.database)
  try {
    await task(database.db, (line) => console.log(line))
  } finally {
    await database.close()
  }
}

/** False where nobody listens. Rejects with what the task said. */
function throughRunning(path: string, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.write(`${name}\n`)
      const lines = createInterface({ input: socket })
      lines.on('error', reject)
      lines.on('line', (line) => {
        if (line === '.') resolve(true)
        else if (line.startsWith('!')) reject(new Error(line.slice(1)))
        else console.log(line)
      })
    })
  })
}
