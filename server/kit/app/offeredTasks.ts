import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import type { Db, Opening } from '../db/db.ts'
import { reasonOf } from '../db/failures.ts'
import { openDatabase } from '../db/open.ts'
import type { Settings } from './settings.ts'

type Say = (line: string) => void
/** The command line after the task name, and the folder to which its paths are relative. */
const Words = z.object({ name: z.string(), args: z.array(z.string()), folder: z.string() })
export type Words = z.output<typeof Words>

/** A maintenance command that runs with an open database. */
export interface Task {
  run(db: Db, say: Say, words: Words, settings: Settings): Promise<void>
  /** Options for opening the database if Innkeeper is not running. */
  opening?: Opening
}
/** A maintenance command that opens the database itself and requires that Innkeeper is stopped. */
export interface LoneTask {
  alone(settings: Settings, say: Say, words: Words): Promise<void>
  /** The command may run while Innkeeper runs. */
  besideRunning?: true
}

const socketOf = ({ dataDir }: Settings) => join(dataDir, 'maintenance.sock')

/**
 * Runs tasks for other processes over a socket that only the user of this process can open: the embedded database
 * allows one process.
 */
export async function offerTasks(
  settings: Settings,
  db: Db,
  tasks: Record<string, Task | LoneTask>,
): Promise<() => void> {
  const path = socketOf(settings)
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    const lines = createInterface({ input: socket })
    lines.on('error', () => socket.destroy()) // readline emits the errors of its input again
    const work = async (line: string) => {
      const words = Words.parse(JSON.parse(line))
      const task = tasks[words.name]
      if (!task) throw new Error(`No task ${words.name}`)
      if ('alone' in task) throw new Error(`Stop Innkeeper first: ${words.name} cannot run while Innkeeper is running`)
      await task.run(db, (said) => socket.write(`${said}\n`), words, settings)
    }
    lines.once('line', (line) => {
      work(line).then(
        () => socket.end('.\n'),
        (error: unknown) => socket.end(`!${JSON.stringify(reasonOf(error))}\n`),
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

/**
 * Runs a task from the command line: in the running Innkeeper if it has the embedded database open, else in this
 * process.
 */
export async function runTask(settings: Settings, task: Task | LoneTask, words: Words): Promise<void> {
  const isLone = 'alone' in task && task.besideRunning
  if (settings.embedded && !isLone && (await throughRunning(socketOf(settings), words))) return
  const say = (line: string) => console.log(line)
  if ('alone' in task) return task.alone(settings, say, words)
  const database = await openDatabase(settings.database, task.opening)
  try {
    await task.run(database.db, say, words, settings)
  } finally {
    await database.close()
  }
}

/** Resolves to false if no process listens. Rejects with the error of the task. */
function throughRunning(path: string, words: Words): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.write(`${JSON.stringify(words)}\n`)
      socket.once('close', () => reject(new Error('Innkeeper ended before the task was finished')))
      const lines = createInterface({ input: socket })
      lines.on('error', reject)
      lines.on('line', (line) => {
        if (line === '.') resolve(true)
        else if (line.startsWith('!')) reject(new Error(JSON.parse(line.slice(1))))
        else console.log(line)
      })
    })
  })
}
