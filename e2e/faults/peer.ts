import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import type { Answer, DoorAnswer, DoorBody } from '@innkeeper/contract/agent/door'
import type { Host } from '@innkeeper/lab/host'

/** Somebody who has what a host's agent has: its credential and all that it ever answered. */
export interface Peer {
  answers: Answer[]
  report(body: DoorBody<'/agent/report'>): Promise<DoorAnswer<'/agent/report'>>
}

/** Reads a copy of the agent's journal: the agent holds its own for itself. */
export function peerOf(host: Host): Peer {
  const { url } = JSON.parse(readFileSync(`${host.root}/etc/innkeeper/agent.json`, 'utf8')) as { url: string } // the agent's own
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-storm-'))
  try {
    for (const name of ['journal.db', 'journal.db-wal']) {
      const file = `${host.root}/var/lib/innkeeper/${name}`
      if (existsSync(file)) copyFileSync(file, join(folder, name))
    }
    const db = new DatabaseSync(join(folder, 'journal.db'))
    const told = db.prepare('select answer from ops where answer is not null').all() as { answer: string }[] // as the agent writes it
    const { credential } = db.prepare('select credential from self').get() as { credential: string } // it is enrolled
    db.close()
    const answers = told.map(({ answer }) => JSON.parse(answer) as Answer) // by the contract: the agent has checked them
    return { answers, report: (body) => post(`${url}/agent/report`, credential, body) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function post(url: string, credential: string, body: object): Promise<DoorAnswer<'/agent/report'>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
    // whose key it is is no matter here: it is our own, on this machine
    const asked = request(url, { method: 'POST', headers, rejectUnauthorized: false, agent: false })
    asked.on('error', reject)
    asked.on('response', async (answer) => {
      const said = await text(answer)
      if (answer.statusCode === 200)
        resolve(JSON.parse(said) as DoorAnswer<'/agent/report'>) // the door's own schema
      else reject(new Error(`The door answered ${answer.statusCode} ${said}`))
    })
    asked.end(JSON.stringify(body))
  })
}
