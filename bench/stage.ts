import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Innkeeper } from '../e2e/innkeeper.ts'
import { readSettings } from '../server/kit/app/settings.ts'
import { type Dice, dice } from '../server/seed/dice.ts'
import { type Running, start } from '../server/start.ts'
import { capture, type Sent } from './capture.ts'
import { fill } from './fill/database.ts'
import type { Ask } from './load.ts'
import type { Recipe } from './recipe.ts'

/** The floor in a process of its own. */
interface Floor {
  port: number
  pid: number
  /** Sets the recipes for `/0`, `/1`… */
  learn(recipes: Recipe[]): Promise<void>
}

/** A database with so many websites; on it the app, the floor, and the app again inside this process. */
export interface Stage {
  url: string
  ours: Innkeeper
  floor: Floor
  /** The app inside this process, whose statements can be recorded. */
  inside: Running
  token: string
  dice: Dice
  /** Sends a call to the app in this process and records its statements. */
  hear(ask: Ask): Promise<{ status: number; body: Record<string, unknown>; sent: Sent[] }>
  close(): Promise<void>
}

export async function openStage(server: string, rows: number, seed: number): Promise<Stage> {
  console.log(`${rows.toLocaleString('en-GB')} websites…`)
  const url = await fill(server, rows, console.log)
  // a provider with PostgreSQL runs the worker in a separate process; here it would seal the floor's log rows too
  const ours = await Innkeeper.open({ database: url, args: ['--role=api'], env: { INNKEEPER_LOG: 'info' } })
  const closing: (() => unknown)[] = [() => ours.close()]
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const settings = readSettings({ ...ours.env, PORT: '0', INNKEEPER_LOG: 'silent' }, ['--role=api'])
    const inside = await start(settings)
    closing.push(() => inside.stop())
    const { floor, child } = await openFloor(url)
    closing.push(() => child.kill('SIGKILL'))
    const { token } = ours
    return {
      url,
      ours,
      floor,
      inside,
      token,
      dice: dice(seed),
      async hear({ method = 'GET', path, body }) {
        const headers = {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }
        const { answer, sent } = await capture(async () => {
          const reply = await fetch(`http://127.0.0.1:${inside.port}${path}`, {
            method,
            headers,
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          return { status: reply.status, body: (await reply.json()) as Record<string, unknown> } // every call answers an object
        })
        return { ...answer, sent }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openFloor(url: string): Promise<{ floor: Floor; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'floor.ts'), [url])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }] // floor.ts sends its port first
  const learn = async (recipes: Recipe[]) => {
    child.send(recipes)
    await once(child, 'message')
  }
  return { floor: { port, pid: child.pid ?? 0, learn }, child }
}
