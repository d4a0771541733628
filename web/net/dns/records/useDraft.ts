import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { session } from '../../../kit/access/session.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { storedOf } from '../../../kit/form/useOpened.ts'
import { dnsApi } from '../api.ts'
import { type Draft, deltaOf, errorsOf, isEmpty, nothing, type RowErrors, rebased } from './draft.ts'

/** Unsaved changes of one zone, kept until they are saved or discarded, with the server's errors and warnings. */
export function useDraft(zone: ZoneView) {
  const [draft, setDraft] = useState<Draft>(nothing)
  const [version, setVersion] = useState(zone.version)
  const [errors, setErrors] = useState<RowErrors>({})
  const [general, setGeneral] = useState<string>()
  const [changedBy, setChangedBy] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [warnings, setWarnings] = useState<readonly { message: string }[]>()
  const empty = isEmpty(draft)

  useBlocker({
    enableBeforeUnload: () => !empty,
    shouldBlockFn: async ({ current, next }) => {
      if (empty || !session.user.jwt || current.pathname === next.pathname) return false
      const question = {
        title: 'Leave without saving?',
        text: 'The changes of the records are not saved.',
        verb: 'Leave',
        danger: true,
      }
      return (await confirm(question)) === undefined
    },
  })

  const set = (next: Draft) => {
    // follows new versions until the first change; from then on the version of that change applies
    if (empty) setVersion(zone.version)
    setDraft(next)
    setErrors({})
    setGeneral(undefined)
    setWarnings(undefined)
  }
  const discard = () => {
    set(nothing)
    setChangedBy(undefined)
  }
  const again = () => {
    void readAgain(['dns', 'workflows'])
  }

  function take(error: unknown, keys: readonly number[]): void {
    if (!(error instanceof ApiError)) return void errorDialog(error)
    const { fields, message } = error.body
    if (storedOf(error)) {
      setChangedBy([message].flat().join(' '))
      again()
    } else if (fields) {
      const found = errorsOf(keys, fields)
      setErrors(found)
      setGeneral(fields.delete ?? (Object.keys(found).length ? undefined : Object.values(fields).join(' ')))
    } else void errorDialog(error)
  }

  /** Requests errors and warnings; returns whether the draft can be saved. */
  async function look(): Promise<boolean> {
    const { keys, ...delta } = deltaOf(draft)
    setBusy(true)
    try {
      const found = await dnsApi.check({ zoneId: zone.id, ...delta })
      setWarnings(found.warnings)
      if (found.missing.length) {
        setChangedBy('A record that you changed was deleted meanwhile')
        return false
      }
      if (!found.problems.length) return true
      setErrors(
        errorsOf(
          keys,
          Object.fromEntries(
            found.problems.map(({ index, field, message }) => [`create.${index}.${field ?? 'name'}`, message]),
          ),
        ),
      )
      setGeneral(found.problems.find(({ index }) => index === null)?.message)
    } catch (error) {
      take(error, keys)
    } finally {
      setBusy(false)
    }
    return false
  }

  async function save(kind: 'edit' | 'import' = 'edit'): Promise<boolean> {
    if (busy || empty) return false
    const { keys, ...delta } = deltaOf(draft)
    setBusy(true)
    try {
      await dnsApi.updateRecords({ zoneId: zone.id, version, kind, ...delta })
      const n = keys.length + Object.keys(draft.gone).length
      setDraft(nothing)
      setErrors({})
      setGeneral(undefined)
      setChangedBy(undefined)
      toast.success(
        `${n === 1 ? '1 record is' : `${n} records are`} saved`,
        zone.active && zone.servers.length ? 'The name servers are being updated.' : undefined,
      )
      return true
    } catch (error) {
      take(error, keys)
      return false
    } finally {
      setBusy(false)
      again()
    }
  }

  return {
    ...{ draft, set, discard, errors, general, busy, look, save, warnings, changedBy, empty },
    /** Applies the draft on top of the version that another person saved. */
    keepMine: async () => {
      const { keys, ...delta } = deltaOf(draft)
      setBusy(true)
      try {
        const { missing } = await dnsApi.check({ zoneId: zone.id, ...delta })
        const n = missing.filter((id) => draft.edited[id]).length
        setDraft(rebased(draft, missing))
        setVersion(zone.version)
        setChangedBy(undefined)
        if (n)
          toast.info(
            n === 1 ? 'One record that you changed was deleted' : `${n} records that you changed were deleted`,
            'Saving adds them again, as you typed them.',
          )
      } catch (error) {
        take(error, keys)
      } finally {
        setBusy(false)
      }
    },
  }
}
export type DraftOf = ReturnType<typeof useDraft>
