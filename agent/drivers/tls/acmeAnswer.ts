import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { probe } from '../../kit/host.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { acmeFile } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'
import { webServerHere } from '../webServer/webServers.ts'

/**
 * Answers http-01 challenges of one ACME account for all names of this server. The answer, `token.thumbprint`, is not
 * secret: only the holder of the account key can use it.
 */
export const acmeAnswer: Driver<'acme-answer.ensure'> = {
  async run(c) {
    const web = webServerHere()
    const answering = { ...web.base(), ...answer(web, c.input) }
    const { changed } = await web.apply(c, answering, { check: () => answers(web, c.input) })
    c.say(`${web.title} answers the challenges of certificates${changed ? '' : ' already'}`)
  },
  undo: async ({ say }) => say('challenges are still answered: other websites need them to renew'),
  async inspect({ input, task }) {
    if (task === 'undo') return 'yes'
    const web = webServerHere()
    return (await web.isServed(answer(web, input))) ? 'yes' : 'no'
  },
}

async function answers(
  { title, refusesNames }: WebServer,
  { thumbprint }: OperationInput<'acme-answer.ensure'>,
): Promise<void> {
  if (!refusesNames()) return // websites answer, and unknown names are somebody else's
  const { status, text } = await probe('127.0.0.1', 80, 'unknown.invalid', '/.well-known/acme-challenge/innkeeper')
  if (text !== `innkeeper.${thumbprint}`)
    throw new Error(`${title} answers a challenge with ${status ?? text} instead of the account's thumbprint`)
}

const answer = (web: WebServer, { thumbprint }: OperationInput<'acme-answer.ensure'>): Changes => ({
  [acmeFile(web)]: web.acmeText(thumbprint),
})
