import type { Endpoint, Input, Output } from '@innkeeper/contract/kit/endpoint'
import { useBlocker, useMatch } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { listed } from '../access/reasons.ts'
import { session } from '../access/session.ts'
import { ApiError, type Bound } from '../api/client.ts'
import { confirm, errorDialog } from '../dialogs/dialogs.ts'
import { subjectOf } from '../frame/subject.ts'
import { frameTexts } from '../frame/texts.ts'
import { check, clean, isRequired, type Problems, schemaOf, sentOf, type Values } from './formState.ts'
import type { mergeForm } from './merge.ts'
import { formTexts } from './texts.ts'
import { storedOf, versionOf } from './useOpened.ts'
import { focusWrong } from './useTyped.ts'

interface Rules<E, V> {
  /** All fields of the form; '' for an empty one. */
  initial: V
  /** Input that the form does not show: the id in the path, the version. */
  fixed?: Partial<Input<E>>
  /** Names of the fields, for "Still needed: domain and owner". */
  labels?: { [K in keyof V]?: string }
  /** Of a stored row, the fields that have another name or shape in the form. */
  valuesOf?: (row: never) => Partial<V>
  onDone: (result: Output<E>) => unknown
  /** Shows merged values in fields that keep a draft of their own. */
  onMerged?: (values: V, stored: never) => void
  /** Runs the call, for example with a question before; undefined: the person cancelled, and the form stays. */
  send?: (input: Input<E>) => Promise<Output<E> | undefined>
}

interface Met {
  stored: unknown
  /** The stored row as values of the form. */
  theirs: Values
  merge: typeof mergeForm
}

/** Why a form that shows what is stored cannot be saved. */
export const nothingChanged = (): string => frameTexts().unchanged

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
  const { initial, fixed, labels = {}, onDone, send = call as NonNullable<typeof rules.send>, valuesOf } = rules
  const schema = useMemo(() => schemaOf(call.endpoint), [call])
  const [values, setValues] = useState<V>(initial)
  const [left, setLeft] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const given = versionOf(fixed) ?? versionOf(initial)
  /** The stored values that the changes of the user are changes of, their version, and the version that was shown last. */
  const [opened, setOpened] = useState({ values: initial, version: given, seen: given })
  /** The row that somebody else saved first, while fields await a decision, and what merges it. */
  const [conflict, setConflict] = useState<Met>()
  /** After somebody else saved first: the fields that got their values. */
  const [taken, setTaken] = useState<readonly string[]>()
  const latest = useRef(values)
  latest.current = values
  const done = useRef(false)

  const changed = JSON.stringify(values) !== JSON.stringify(opened.values)
  // the row was read again: a form without changes shows it, and a form with changes keeps the version that it opened
  if (given !== opened.seen && given !== undefined && given >= (opened.version ?? 0) && !changed && !busy) {
    setOpened({ values: initial, version: given, seen: given })
    setValues(initial)
  }
  const outside: Values = { ...fixed, ...(opened.version !== undefined && { version: opened.version }) }
  const input: Values = { ...values, ...outside }
  const problems = check(schema, input)
  const dirty = changed
  const valid = Object.keys(problems).length === 0
  const wanting = Object.keys(values).filter((key) => problems[key] === formTexts().required)
  const nameOf = (key: string) => {
    const label = (labels as Record<string, string | undefined>)[key]
    return label === undefined ? key : formTexts().within(label)
  }
  const lacks = wanting.length ? formTexts().stillNeeded(listed(wanting.map(nameOf))) : firstProblem(problems, labels)

  const about = useMatch({ strict: false, select: ({ staticData }) => staticData.place?.about })
  useBlocker({
    enableBeforeUnload: () => dirty && !done.current,
    shouldBlockFn: async ({ current, next }) => {
      // without a session, leave without a question; a change of the search parameters stays on the page
      if (!dirty || done.current || !session.user.jwt || subjectOf(current, about) === subjectOf(next, about))
        return false
      const answer = await confirm({
        title: frameTexts().leaveTitle,
        text: frameTexts().leaveText,
        verb: frameTexts().leave,
        danger: true,
      })
      return answer === undefined
    },
  })

  const merged = ({ theirs, merge }: Met) => merge(opened.values as Values, latest.current as Values, theirs)
  /** Goes on from the stored row, with the changes that are left. */
  const goOnFrom = ({ stored, theirs }: Met, next: Values, fields: readonly string[]) => {
    // the merge has the keys of the form only
    setValues(next as V)
    setOpened((now) => ({ ...now, values: { ...now.values, ...theirs }, version: versionOf(stored) }))
    setTaken(fields)
    setConflict(undefined)
    rules.onMerged?.(next as V, stored as never)
  }
  const meet = async (stored: unknown) => {
    // most forms are saved without a conflict
    const { mergeForm: merge, formOf } = await import('./merge.ts')
    const theirs: Values = { ...formOf(stored, opened.values as Values), ...valuesOf?.(stored as never) }
    const met = { stored, theirs, merge }
    const { keep, clashes, taken } = merged(met)
    if (clashes.length) setConflict(met)
    else goOnFrom(met, keep, taken)
  }

  const set = <K extends keyof V & string>(key: K, value: V[K]) => {
    done.current = false
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
      const sent = { ...sentOf(call.endpoint, values as Values, opened.values as Values), ...outside }
      const result = await (send as (input: unknown) => Promise<Output<E> | undefined>)(
        clean(schema, sent, opened.values as Values),
      )
      if (result === undefined && rules.send) return
      done.current = true
      setTaken(undefined)
      setOpened((now) => ({ ...now, values, version: versionOf(result) ?? now.version }))
      await onDone(result as Output<E>)
    } catch (error) {
      done.current = false
      if (error instanceof ApiError && error.body.fields) setRefused(error.body.fields)
      else if (isNewer(storedOf(error), opened.version)) await meet(storedOf(error)).catch(() => errorDialog(error))
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
      refused[key] ?? (tried || (left.includes(key) && values[key] !== opened.values[key]) ? problems[key] : undefined),
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
    /** Whether the user changed this field. */
    differs: (key: keyof V) => JSON.stringify(values[key]) !== JSON.stringify(opened.values[key]),
    busy,
    save,
    /** Takes back what the user changed. */
    reset: () => setValues(opened.values),
    /** "Still needed: domain and owner", then the first other problem: a disabled button always says what it needs. */
    wanting: lacks,
    /** Why the form cannot be saved now: what it needs, or that nothing is changed. */
    lack: lacks ?? (valid ? (dirty ? undefined : nothingChanged()) : formTexts().incomplete),
    /** Values that somebody else saved first and that this user changed as well. */
    conflict: conflict && merged(conflict).clashes,
    /** After somebody else saved first: names of the fields that have their values now. */
    taken: taken?.map(nameOf),
    nameOf,
    keepMine: () => {
      if (!conflict) return
      const { keep, taken } = merged(conflict)
      goOnFrom(conflict, keep, taken)
    },
    takeTheirs: () => {
      if (!conflict) return
      const { take, taken, clashes } = merged(conflict)
      goOnFrom(conflict, take, [...new Set([...taken, ...clashes.map(({ path }) => String(path[0]))])])
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

/** "Pattern: At least one shift"; nothing where all fields are valid. */
function firstProblem(problems: Problems, labels: Readonly<Record<string, string | undefined>>): string | undefined {
  const [first] = Object.entries(problems)
  if (!first) return
  const [key = '', text = ''] = first
  const label = labels[key]
  return label ? `${label}: ${text}` : text
}

/** Whether the row of a 409 is another version than the form sent; a state that refuses the change is not. */
const isNewer = (stored: unknown, sent: number | undefined): boolean =>
  sent !== undefined && versionOf(stored) !== undefined && versionOf(stored) !== sent
