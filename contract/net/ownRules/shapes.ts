import * as z from 'zod'
import { MOST_RULES } from './problems.ts'

/** One form of line ends, and no spaces behind the last line. */
export const tidyRules = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()

/**
 * Own rules of a website, for the web server that its server runs. Both are kept, so that a move loses none. judges.ts says
 * which lines are refused: only the form and the call that change rules load it.
 */
export const ruleText = z.string().max(MOST_RULES, `At most ${MOST_RULES} characters`).transform(tidyRules)
