import type { Endpoint, Input, Output } from '@innkeeper/contract/kit'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { listed } from '../access/reasons.ts'
import { session } from '../access/session.ts'
import { ApiError, type Bound } from '../api/client.ts'
import { confirm, errorDialog } from '../dialogs/dialogs.ts'
import { check, clean, differences, isRequired, type Problems, schemaOf, type Values } from './formState.ts'
import { storedOf, versionOf } from './useOpened.ts'
import { focusWrong } from './useTyped.ts'

interface Rules<E, V> {
  /** All fields of the form; '' for an empty one. */
  initial: V
  /** Input that the form does not show: the id in the path, the version. */
  fixed?: Partial<Input<E>>
  /** Names of the fields, for "Still needed: domain and owner". */
  labels?: { [K in keyof V]?: string }
  onDone: (result: Output<E>) => unknown
  /** Runs the call, for example with a question before; undefined: the person cancelled, and the form stays. */
  send?: (input: Input<E>) => Promise<Output<E> | undefined>
}

/** The props of one field. */
export interface FieldProps<T> {
  name: string
  value: T
  onChange: (value: T) => void
  onBlur: () => void
  error?: string
  required: boolean
}
/** The props of a text input, whose onChange takes an event. */
export interface TextProps extends Omit<FieldProps<string>, 'onChange'> {
  onChange: (event: { currentTarget: { value: string } }) => void
}
export type CallForm = ReturnType<typeof useCallForm<Endpoint, Values>>

/** A form for one call. The contract validates, errors appear at their fields, and no typed value is lost. */
export function useCallForm<E extends Endpoint, V extends { [K in keyof V]: unknown }>(
  call: Bound<E>,
  rules: Rules<E, V>,
) {
  const { initial, fixed, labels = {}, onDone, send = call as NonNullable<typeof rules.send> } = rules
  const schema = useMemo(() => schemaOf(call.endpoint), [call])
  const [values, setValues] = useState<V>(initial)
  const [left, setLeft] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<Problems>({})
  const [conflict, setConflict] = useState<unknown>()
  const [version, setVersion] = useState<number>()
  const [busy, setBusy] = useState(false)
  const start = useRef(initial)
  const done = useRef(false)

  const input: Values = { ...values, ...fixed, ...(version !== undefined && { version }) }
  const problems = check(schema, input)
  const dirty = JSON.stringify(values) !== JSON.stringify(start.current)
  const valid = Object.keys(problems).length === 0
  const wanting = Object.keys(values).filter((key) => problems[key] === 'Required')
  const nameOf = (key: string) => (labels as Record<string, string | undefined>)[key]?.toLowerCase() ?? key

  useBlocker({
    enableBeforeUnload: () => dirty && !done.current,
    shouldBlockFn: async ({ current, next }) => {
      // without a session, leave without a question; a change of the search parameters stays on the page
      if (!dirty || done.current || !session.user.jwt || current.pathname === next.pathname) return false
      const answer = await confirm({
        title: 'Leave without saving?',
        text: 'What you typed here is not saved.',
        verb: 'Leave',
        danger: true,
      })
      return answer === undefined
    },
  })

  const set = <K extends keyof V & string>(key: K, value: V[K]) => {
    setValues((now) => ({ ...now, [key]: value }))
    setRefused(({ [key]: _, ...rest }) => rest)
  }

  async function save(): Promise<void> {
    setTried(true)
    if (!valid || busy) return
    setBusy(true)
    setRefused({})
    try {
      // checked by the call's own schema just above
      const result = await (send as (input: unknown) => Promise<Output<E> | undefined>)(clean(schema, input))
      if (result === undefined && rules.send) return
      done.current = true
      await onDone(result as Output<E>)
    } catch (error) {
      done.current = false
      if (error instanceof ApiError && error.body.fields) setRefused(error.body.fields)
      else if (storedOf(error)) setConflict(storedOf(error))
      else void errorDialog(error)
    } finally {
      setBusy(false)
    }
  }

  const saveIn = (form: Element) => {
    if (!focusWrong(form)) void save()
  }

  /**
   * Props for a kit input: value, error, required mark. The error appears after a changed field is left or a save was
   * tried.
   */
  const field = <K extends keyof V & string>(key: K): FieldProps<V[K]> => ({
    name: key,
    value: values[key],
    onChange: (value: V[K]) => set(key, value),
    onBlur: () => setLeft((now) => (now.includes(key) ? now : [...now, key])),
    error:
      refused[key] ?? (tried || (left.includes(key) && values[key] !== start.current[key]) ? problems[key] : undefined),
    required: isRequired(schema, key),
  })
  type TextKey = { [K in keyof V & string]: V[K] extends string ? K : never }[keyof V & string]

  return {
    values,
    set,
    setValues,
    field,
    /** For inputs whose onChange gives an event: TextInput, Textarea, PasswordInput. */
    text: (key: TextKey) => {
      const { value, onChange, ...rest } = field(key)
      return {
        ...rest,
        value: String(value),
        // TextKey contains only text fields
        onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value as V[TextKey]),
      }
    },
    problems,
    /** Errors of the server for fields that have not changed since. */
    refused,
    valid,
    dirty,
    busy,
    save,
    /** "Still needed: domain and owner", or nothing. */
    wanting: wanting.length ? `Still needed: ${listed(wanting.map(nameOf))}` : undefined,
    /** The stored values that another person saved first, per field. */
    conflict: conflict === undefined ? undefined : differences(values, conflict),
    nameOf,
    keepMine: () => {
      setVersion(versionOf(conflict))
      setConflict(undefined)
    },
    takeTheirs: () => {
      const theirs = Object.fromEntries(differences(values, conflict).map(({ key, stored }) => [key, stored ?? '']))
      // only keys that the form has
      setValues((now) => ({ ...now, ...(theirs as Partial<V>) }))
      setVersion(versionOf(conflict))
      setConflict(undefined)
    },
    /** Spread on <form>. */
    form: {
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        event.stopPropagation()
        saveIn(event.currentTarget)
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        saveIn(event.currentTarget)
      },
    },
  }
}
