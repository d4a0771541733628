#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createClient } from '../index.ts'
import { completionScript, completions } from './complete.ts'
import { exitOf, exits, UsageError } from './exit.ts'
import { usage } from './help.ts'
import { errorText, parsed, run, type Terminal } from './run.ts'
import { forgetSettings, readSettings, saveSettings } from './settings.ts'
import { shown } from './table.ts'

const terminal: Terminal = {
  out: (written) => void process.stdout.write(written),
  err: (written) => void process.stderr.write(written),
  stdin: () => text(process.stdin),
}
const settings = () => readSettings(process.env)

const commands: Record<string, (words: string[]) => Promise<void> | void> = {
  login,
  configure: login,
  logout: () => forgetSettings(process.env),
  async whoami() {
    terminal.out(shown(await createClient(settings()).apiTokens.current()))
  },
  help: () => terminal.out(usage()),
  '--help': () => terminal.out(usage()),
  completion([shell = '']) {
    const script = completionScript(shell)
    if (!script) throw new UsageError('innkeeper completion bash, or zsh')
    terminal.out(script)
  },
  'exit-codes'() {
    for (const [name, code] of Object.entries(exits)) terminal.out(`${code}  ${name}\n`)
  },
  __complete: (words) =>
    terminal.out(
      completions(words.length ? words : [''])
        .map((word) => `${word}\n`)
        .join(''),
    ),
}

/** Checks a token and writes it into a file that only its owner reads. */
async function login(words: string[]): Promise<void> {
  const { options } = parsed(words)
  const url = options.get('url')?.at(-1) ?? process.env.INNKEEPER_URL
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new UsageError('innkeeper login --url https://innkeeper.example')
  if (options.has('token'))
    throw new UsageError('Other people see arguments: give the token at the prompt or on standard input')
  const token = (process.stdin.isTTY ? await asked('API token: ') : await terminal.stdin()).trim()
  if (!token) throw new UsageError('The token is missing. Make one in Innkeeper, under API tokens.')
  const current = await createClient({ url, token }).apiTokens.current()
  const file = saveSettings(process.env, { url: new URL(url).origin, token })
  terminal.out(
    `Signed in as ${current.userName} with the token ${current.name}, until ${current.expiresAt}.\nSaved in ${file}.\n`,
  )
}

/** Asks without showing what is typed. */
async function asked(question: string): Promise<string> {
  terminal.err(question)
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: hidden, terminal: true })
  const typed = await reader.question('')
  reader.close()
  terminal.err('\n')
  return typed
}

const [first = 'help', ...rest] = process.argv.slice(2)
const own = Object.hasOwn(commands, first) ? commands[first] : undefined
try {
  await (own ? own(rest) : run([first, ...rest], settings, terminal))
} catch (error) {
  terminal.err(errorText(error))
  process.exitCode = exitOf(error)
}
