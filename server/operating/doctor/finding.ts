/** What the doctor looked at. `wrong` and `note` say how to mend it. */
export type Finding =
  | { about: string; state: 'ok'; text: string }
  | { about: string; state: 'wrong' | 'note'; text: string; mend: string }

export const ok = (about: string, text: string): Finding => ({ about, state: 'ok', text })
export const wrong = (about: string, text: string, mend: string): Finding => ({ about, state: 'wrong', text, mend })
export const note = (about: string, text: string, mend: string): Finding => ({ about, state: 'note', text, mend })

const marks = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' } as const

/** The lines of a finding; findings begin in the same column. */
export const linesOf = (finding: Finding): string[] => [
  `${marks[finding.state]} ${finding.about.padEnd(12)} ${finding.text}`,
  ...(finding.state === 'ok' ? [] : [`                   → ${finding.mend}`]),
]
