import * as z from 'zod'
import type { WebServer } from '../../machines/servers/shapes.ts'
import { apacheProblems } from './apacheRules.ts'
import { nginxProblems } from './nginxRules.ts'
import { MOST_RULES, problemsInWords, type RuleProblem } from './problems.ts'

/** One form of line ends, and no spaces behind the last line. */
export const tidyRules = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()

const ruleText = (problemsOf: (text: string) => RuleProblem[]) =>
  z
    .string()
    .max(MOST_RULES, `At most ${MOST_RULES} characters`)
    .transform(tidyRules)
    .superRefine((text, context) => {
      const message = problemsInWords(problemsOf(text))
      if (message) context.addIssue({ code: 'custom', message })
    })

/** Own rules of a website, for the web server that its server runs. Both are kept, so that a move loses none. */
export const nginxRules = ruleText(nginxProblems)
export const apacheRules = ruleText(apacheProblems)

export const problemsOfRules: Readonly<Record<WebServer, (text: string) => RuleProblem[]>> = {
  nginx: nginxProblems,
  apache: apacheProblems,
}
