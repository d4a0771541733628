import { createStore } from '../frame/store.ts'

/** RP9-001, RP9-002: how long a notice takes to come, to go, and stays. Milliseconds. */
export const SHOW = 300
export const HIDE = 1000
export const STAY = 10_000

export type ToastKind = 'success' | 'info' | 'warning' | 'error'
export interface Toast {
  id: number
  kind: ToastKind
  title: string
  body?: string
  /** When it was sent, as the Swedish form writes it; only what the server pushed has one. */
  date?: string
  /** Milliseconds; absent: it stays until it is closed. */
  duration?: number
  /** A path of the app that the title leads to. */
  to?: string
  /** Takes the place of the one with the same key. */
  key?: string
}

const toasts = createStore<readonly Toast[]>([])
let last = 0

export const toastStore = {
  ...toasts,
  dismiss: (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id)),
}

type More = Pick<Toast, 'duration' | 'date' | 'to' | 'key'>
const show =
  (kind: ToastKind, duration?: number) =>
  (title: string, body?: string, more: More = {}): void => {
    last += 1
    const shown = toasts.get()
    const others = more.key ? shown.filter(({ key }) => key !== more.key) : shown
    toasts.set([...others, { id: last, kind, title, body, duration, ...more }])
  }

/** What happened, and its consequence. Errors stay unless a duration is given; a toast never asks. */
export const toast: Record<ToastKind, (title: string, body?: string, more?: More) => void> = {
  success: show('success', STAY),
  info: show('info', STAY),
  warning: show('warning', STAY),
  error: show('error'),
}
