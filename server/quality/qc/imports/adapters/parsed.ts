import * as z from 'zod'
import { NotAnswered } from './ask.ts'

/** A text that an API may answer as a number or as nothing. */
export const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ''))

/** Reads the answers of an API by a schema. An answer of another form is none. */
export const parsedAs =
  (api: string) =>
  <T extends z.ZodType>(schema: T, answer: unknown): z.output<T> => {
    const result = schema.safeParse(answer)
    if (!result.success) throw new NotAnswered(`an answer is not of ${api}: ${result.error.issues[0]?.path.join('.')}`)
    return result.data
  }
