import type * as z from 'zod'
import { NotAnswered } from './ask.ts'

/** Reads the answers of an API by a schema. An answer of another form is none. */
export const parsedAs =
  (api: string) =>
  <T extends z.ZodType>(schema: T, answer: unknown): z.output<T> => {
    const result = schema.safeParse(answer)
    if (!result.success) throw new NotAnswered(`an answer is not of ${api}: ${result.error.issues[0]?.path.join('.')}`)
    return result.data
  }
