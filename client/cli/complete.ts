import { commandOf, commandsOf, domains, kebab } from './calls.ts'
import { fieldsOf } from './fields.ts'

const own = ['login', 'logout', 'whoami', 'completion', 'help', 'exit-codes']
const flags = ['--json', '--wait', '--all', '--columns', '--data', '--idempotency-key', '--help']

/** What may follow these words, the last of which is not finished. */
export function completions(words: readonly string[]): string[] {
  const [domain = '', verb = ''] = words
  const begun = words.at(-1) ?? ''
  const possible = () => {
    if (words.length <= 1) return [...domains(), ...own]
    if (words.length === 2) return commandsOf(domain).map(([name]) => name)
    const command = commandOf(domain, verb)
    if (!command) return []
    return [
      ...fieldsOf(command.endpoint).flatMap(({ name, place }) => (place === 'path' ? [] : [`--${kebab(name)}`])),
      ...flags,
    ]
  }
  return possible().filter((word) => word.startsWith(begun))
}

const scripts: Record<string, string> = {
  bash: `_innkeeper() {
  local IFS=$'\\n'
  COMPREPLY=($(innkeeper __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _innkeeper innkeeper
`,
  zsh: `#compdef innkeeper
_innkeeper() {
  local -a found
  found=("\${(@f)$(innkeeper __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  compadd -a found
}
compdef _innkeeper innkeeper
`,
}

export const completionScript = (shell: string): string | undefined =>
  Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
