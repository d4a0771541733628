import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import type { Answer, DoorAnswer, DoorBody } from '@innkeeper/contract/agent/door'
import type { Host } from '@innkeeper/lab/host'

/** A second agent with the credential and all past answers of a host's agent. */
export interface Peer {
  answers: Answer[]
  report(body: DoorBody<'/agent/report'>): Promise<DoorAnswer<'/agent/report'>>
}

/** Reads a copy of the agent's journal, because the agent locks its own. */
export function peerOf(host: Host): Peer {
  // written by the agent
  const { url } = JSON.parse(readFileSync(`${host.root}/etc/innkeeper/agent.json`, 'utf8')) as { url: string }
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-storm-'))
  try {
    for (const name of ['journal.db', 'journal.db-wal']) {
      const file = `${host.root}/var/lib/innkeeper/${name}`
      if (existsSync(file)) copyFileSync(file, join(folder, name))
    }
    const db = new DatabaseSync(join(folder, 'journal.db'))
    // written by the agent
    const told = db.prepare('select answer from ops where answer is not null').all() as { answer: string }[]
    const { credential } = db.prepare('select credential from self').get() as { credential: string } // the agent is enrolled
    db.close()
    const answers = told.map(({ answer }) => JSON.parse(answer) as Answer) // the agent has validated them by the contract
    return { answers, report: (body) => post(`${url}/agent/report`, credential, body) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function post(url: string, credential: string, body: object): Promise<DoorAnswer<'/agent/report'>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
    // the certificate is our own, on this machine
    const asked = request(url, { method: 'POST', headers, rejectUnauthorized: false, agent: false })
    asked.on('error', reject)
    const read = async (answer: IncomingMessage): Promise<DoorAnswer<'/agent/report'>> => {
      const said = await text(answer)
      if (answer.statusCode !== 200) throw new Error(`The agent API answered ${answer.statusCode} ${said}`)
      return JSON.parse(said) as DoorAnswer<'/agent/report'> // the schema of the agent API
    }
    asked.on('response', (answer) => resolve(read(answer)))
    asked.end(JSON.stringify(body))
  })
}
