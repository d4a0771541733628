import { Alert } from '@mantine/core'
import { listed } from '../access/reasons.ts'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { frameTexts } from '../frame/texts.ts'
import type { Conflicting } from './Conflict.tsx'
import { formTexts } from './texts.ts'

// most forms are saved without a conflict
const Conflict = lazyPart(
  () => import('./Conflict.tsx'),
  () => null,
)

interface Noted extends Omit<Conflicting, 'conflict'> {
  refused: Record<string, string>
  conflict: Conflicting['conflict'] | undefined
  taken?: readonly string[] | undefined
}

/** Notes above a form: the number of refused fields, and changes that another person saved first. */
export function FormNotes({ form, nothing }: { form: Noted /** "Nothing was created." */; nothing: string }) {
  const refused = Object.keys(form.refused).length
  return (
    <>
      {refused > 0 && (
        <Alert role="alert" color="error" p="10px 14px" title={frameTexts().refusedFields(refused)}>
          {nothing}
        </Alert>
      )}
      {form.taken && (
        <Alert role="alert" color="info" p="10px 14px" title={frameTexts().savedFirst}>
          {form.taken.length > 0 ? formTexts().theirs(listed(form.taken)) : formTexts().noneChanged}{' '}
          {formTexts().saveAgain}
        </Alert>
      )}
      {form.conflict && <Conflict {...form} conflict={form.conflict} />}
    </>
  )
}
