import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { peopleApi } from '../api.ts'

/** Closes a dossier after the person's name was typed. Returns whether it was closed. */
export async function closeDossier({ id, name, version }: DossierUser): Promise<boolean> {
  const sure = await confirmByName({
    title: `Close the dossier of ${name}?`,
    name,
    verb: 'Close dossier',
    goes: ['The dossier from lists and searches', 'Memberships, which end today'],
    stays:
      'Entries stay for those who may read them, and are there again when the dossier is opened again. Texts can be erased once the dossier is closed.',
  })
  if (!sure) return false
  const gone = await succeeds(() => peopleApi.removeUser({ id, version }), ['dossiers'])
  if (gone) toast.success(`The dossier of ${name} is closed`)
  return gone === true
}
