import type { OperationInput } from '@innkeeper/contract/agent'
import type { Driver } from '../kit/driver.ts'
import { probe } from '../kit/host.ts'
import { base } from './nginx.ts'
import { apply, type Changes, isServed } from './nginxConfig.ts'

export const acmeFile = '/etc/nginx/innkeeper/acme.conf'

/**
 * Any http-01 challenge of one ACME account, for every name that leads here. An answer is `token.thumbprint`, and nobody
 * but the holder of the account's key can make use of it: that it is given to whoever asks is no secret told.
 */
export const acmeAnswer: Driver<'acme-answer.ensure'> = {
  async run(c) {
    const { changed } = await apply(c, { ...base(), ...answer(c.input) }, { check: () => answers(c.input) })
    c.say(
      changed ? 'nginx answers the challenges of certificates' : 'nginx answers the challenges of certificates already',
    )
  },
  undo: async ({ say }) => say('challenges are answered as before: other websites renew by them'),
  async inspect({ input, task }) {
    if (task === 'undo') return 'yes'
    return (await isServed(answer(input))) ? 'yes' : 'no'
  },
}

async function answers({ thumbprint }: OperationInput<'acme-answer.ensure'>): Promise<void> {
  const { status, text } = await probe('127.0.0.1', 80, 'unknown.invalid', '/.well-known/acme-challenge/innkeeper')
  if (text !== `innkeeper.${thumbprint}`)
    throw new Error(`A challenge should be answered with the account's thumbprint, and nginx answers ${status ?? text}`)
}

const answer = ({ thumbprint }: OperationInput<'acme-answer.ensure'>): Changes => ({
  [acmeFile]: `# Written by Innkeeper; what is changed here is written over.
location ^~ /.well-known/acme-challenge/ {
  access_log off;
  location ~ "^/\\.well-known/acme-challenge/([A-Za-z0-9_-]{1,200})$" {
    default_type text/plain;
    return 200 "$1.${thumbprint}";
  }
  return 404;
}
`,
})
