import { join } from 'node:path'
import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sliced } from '../../../bin/slice.ts'
import { made } from '../certificates.ts'
import { limits, poolOf, rootOf, siteOf } from '../fixtures.ts'
import { labDir, type Practice, practice } from '../practice.ts'
import { SmallDisk } from './smallDisk.ts'

type Layer = 'databases' | 'mail' | 'dns'
type Input = Record<string, unknown>
interface Case {
  name: OperationName
  /** The input, once the host is ready. */
  input: (p: Practice<Host>) => Promise<Input> | Input
}
const of = <N extends OperationName>(
  name: N,
  input: (p: Practice<Host>) => Promise<OperationInput<N>> | OperationInput<N>,
) => ({ name, input }) as Case
const key = {
  type: 'ssh-ed25519' as const,
  body: 'AAAAC3NzaC1lZDI1NTE5AAAAIMm0YX0bS8cV4v9pGq3v3b3oYb0vJ8mS2m6s0c1YvF2L',
}

interface Machine {
  layer?: Layer
  ready: (p: Practice<Host>) => Promise<unknown>
  cases: Case[]
  /** A program that refuses a configuration that is not whole. */
  judge: string[]
}
const machines: Record<string, Machine> = {
  web: {
    ready: async (p) => {
      await p.provision()
      await p.website('first.example')
      await p.done('document-root.ensure', rootOf('second.example'))
      await p.done('packages.ensure', { packages: ['openssh-server'] })
      await p.done('sftp.ensure', {})
    },
    judge: ['sh', '-c', 'nginx -t && php-fpm8.2 -t && sshd -t'],
    cases: [
      of('system-user.ensure', () => ({ username: 'web2', limits })),
      of('document-root.ensure', () => rootOf('third.example')),
      of('php-pool.ensure', () => ({ ...poolOf(), maxChildren: 7 })),
      of('nginx-site.ensure', () => siteOf('second.example')),
      of('nginx-site.remove', () => ({ ...siteOf('first.example'), keepDays: 7 })),
      of('tls-site.ensure', async (p) => ({
        ...{ domain: 'first.example', names: ['first.example'], redirect: false, hsts: 0 },
        ...(await made(p, 'first.example')),
      })),
      of('sftp-access.ensure', () => ({ username: 'web1', state: 'active', keys: [key] })),
    ],
  },
}

const pages = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40]
const verdict = await can(labDir)

/** Every file below these folders with its mode, owner and content, but notes of programs and the number of the last reload. */
const look = `cd / && find etc home var/spool/cron usr/share/innkeeper -xdev ! -path '*/.pwd.lock' ! -path 'etc/*-' ! -path etc/ld.so.cache \\
  ! -name .updated ! -name generation.conf ! -type d -printf '%M %U:%G %p %l ' \\( -type f -exec sha256sum {} ';' -o -printf '\\n' \\) 2>/dev/null | sort -k3`
const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((file) => one.get(file) !== other.get(file))
    .map((file) => [one.get(file), other.get(file)])
const treeOf = async (p: Practice<Host>) =>
  new Map(
    (await p.sh('sh', '-c', look))
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.split(' ')[2] ?? '', line]),
  )

describe.skipIf(!verdict.able).for(Object.entries(machines))(
  'a full disk: %s',
  ([title, { layer, ready, cases, judge }]) => {
    let p: Practice<Host>
    let disk: SmallDisk
    beforeAll(async () => {
      disk = new SmallDisk(3000)
      p = await practice(await openLab({ dir: join(disk.folder, 'lab') }), `full-${title}`, layer)
      await ready(p)
    })
    afterAll(async () => {
      disk?.empty()
      await p?.end()
      disk?.close()
    })

    test.for(cases)('$name', async ({ name, input }) => {
      const given = await input(p)
      const before = await treeOf(p)
      const whole = await p.anyOp(name, given, { id: 90_001 })
      expect({ name, whole }).toMatchObject({ whole: { status: 'done' } })
      const after = await treeOf(p)
      await p.anyOp(name, given, { id: 90_001, task: 'undo' })
      expect(differences(await treeOf(p), before), `${name}: undone with room`).toEqual([])
      let refused = 0
      for (const blocks of sliced(pages)) {
        const id = 90_100 + blocks
        const about = `${name} with ${blocks} blocks`
        disk.leave(blocks)
        const first = await p.anyOp(name, given, { id })
        if (first.status === 'failed') {
          refused++
          console.log(about, first.reason)
          const found = await treeOf(p)
          const odd = [...found].filter(([file, line]) => before.get(file) !== line && after.get(file) !== line)
          const lost = [...before.keys()].filter((file) => !found.has(file) && after.has(file))
          expect.soft({ about, odd, lost }).toEqual({ about, odd: [], lost: [] })
          expect.soft(first.reason, about).toMatch(/Disk full|The disk may be the reason/)
          expect.soft((await p.host.exec(judge)).code, `${about}: ${judge.join(' ')}`).toBe(0)
        }
        const undone = await p.anyOp(name, given, { id, task: 'undo' })
        expect.soft(undone, `${about}: undo on the full disk`).toMatchObject({ status: 'done' })
        disk.empty()
        if (undone.status !== 'done') await p.anyOp(name, given, { id, task: 'undo' })
        expect.soft(differences(await treeOf(p), before), `${about}: undone`).toEqual([])
        expect(await p.anyOp(name, given, { id: id + 1000 }), `${about}: once there is room`).toMatchObject({
          status: 'done',
        })
        expect.soft(differences(await treeOf(p), after), `${about}: done once there is room`).toEqual([])
        await p.anyOp(name, given, { id: id + 1000, task: 'undo' })
      }
      console.log(name, 'refused', refused)
    })
  },
)
