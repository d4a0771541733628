import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { webs } from '../drivers/webServer/test/webs.ts'
import type { Host, Practice } from './practice.ts'
import { rulesCases } from './rulesCases.ts'

const [nginx] = webs

/** Tests for nginx only, on the practice host of the calling test. */
export function nginxCases(practice: () => Practice<Host>): void {
  rulesCases('nginx', practice)

  test('undo of a setup keeps the content of others, and removes Innkeeper’s part once no website is left', async () => {
    const p = practice()
    const own = { id: p.provisioned, task: 'undo' } as const
    expect((await p.done('nginx.ensure', {}, own)).said.join()).toContain('serves websites')
    await p.sh('sh', '-c', 'rm /etc/nginx/innkeeper/sites/*')
    writeFileSync(`${p.host.root}${nginx.byHand}`, nginx.taken)
    for (let times = 0; times < 2; times++) {
      await p.done('nginx.ensure', {}, own)
      expect((await p.get('taken.example')).body).toBe('by hand')
      expect((await p.get('first.example')).body).toContain('Welcome to nginx')
      expect((await p.host.exec(['curl', '-s', 'http://127.0.0.1:4479'])).code).toBe(7) // no program listens
    }
    expect((await p.done('nginx.ensure', {}, { inspect: true })).output).not.toEqual({ inspected: true })
    await p.done('nginx.ensure', {})
    expect((await p.get('first.example')).status).toBe(nginx.refuses)
    expect((await p.get('taken.example')).body).toBe('by hand')
    rmSync(`${p.host.root}${nginx.byHand}`)
  })
}
