import type { WebServer } from '../../machines/servers/shapes.ts'
import { apacheProblems } from './apacheRules.ts'
import { nginxProblems } from './nginxRules.ts'
import { problemsInWords, type RuleProblem } from './problems.ts'
import { tidyRules } from './shapes.ts'

export const problemsOfRules: Readonly<Record<WebServer, (text: string) => RuleProblem[]>> = {
  nginx: nginxProblems,
  apache: apacheProblems,
}

/** Why own rules are refused, by web server, in words for the field. */
export const wrongRules = (rules: { [S in WebServer]?: string | undefined }): { [S in WebServer]?: string } =>
  Object.fromEntries(
    (['nginx', 'apache'] as const).flatMap((server) => {
      const why = problemsInWords(problemsOfRules[server](tidyRules(rules[server] ?? '')))
      return why ? [[server, why]] : []
    }),
  )
