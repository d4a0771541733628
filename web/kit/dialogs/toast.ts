import { createStore } from '../frame/store.ts'

/** RP9-001, RP9-002: milliseconds for a toast to appear, to disappear and to stay. */
export const SHOW = 300
export const HIDE = 1000
export const STAY = 10_000

export type ToastKind = 'success' | 'info' | 'warning' | 'error'
export interface Toast {
  id: number
  kind: ToastKind
  title: string
  body?: string
  /** When a pushed notification was sent, in Swedish format. */
  date?: string
  /** Milliseconds; without a duration the toast stays until it is closed. */
  duration?: number
  /** Path of the app that the title links to. */
  to?: string
  /** Takes back what the toast tells of. Offered while the toast is shown; only for acts that can be undone whole. */
  undo?: () => unknown
  /** A toast replaces an older toast with the same key. */
  key?: string
}

const toasts = createStore<readonly Toast[]>([])
let last = 0

export const toastStore = {
  ...toasts,
  dismiss: (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id)),
}

type More = Pick<Toast, 'duration' | 'date' | 'to' | 'key' | 'undo'>
const show =
  (kind: ToastKind, duration?: number) =>
  (title: string, body?: string, more: More = {}): void => {
    last += 1
    const shown = toasts.get()
    const others = more.key ? shown.filter(({ key }) => key !== more.key) : shown
    toasts.set([...others, { id: last, kind, title, body, duration, ...more }])
  }

/**
 * Shows a toast: what happened, and the consequence. Errors stay unless a duration is given; a toast never asks a
 * question.
 */
export const toast: Record<ToastKind, (title: string, body?: string, more?: More) => void> = {
  success: show('success', STAY),
  info: show('info', STAY),
  warning: show('warning', STAY),
  error: show('error'),
}
