import { Anchor, Button, Notification, Transition } from '@mantine/core'
import { useEffect, useState } from 'react'
import { goTo } from '../frame/goTo.ts'
import { useStore } from '../frame/store.ts'
import { frameTexts } from '../frame/texts.ts'
import { Glyph, type Shape } from '../look/Glyph.tsx'
import { Linkified } from '../look/Linkified.tsx'
import { kitWords } from '../look/texts.ts'
import css from './Toasts.module.css'
import { HIDE, SHOW, type Toast, type ToastKind, toastStore } from './toast.ts'

const MOST = 4
const shapes: Record<ToastKind, Shape> = { success: 'check', info: 'info', warning: 'bang', error: 'cross' }

/** Toasts at the bottom right, the newest lowest. A toast under the pointer or with the focus stays open. */
export default function Toasts() {
  const toasts = useStore(toastStore)
  return (
    <section className={css.stack} aria-label={frameTexts().notices}>
      {toasts.slice(-MOST).map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function One({ toast }: { toast: Toast }) {
  const [shown, setShown] = useState(false)
  const [held, setHeld] = useState(false)
  const [left, setLeft] = useState(false)
  useEffect(() => setShown(true), [])
  useEffect(() => {
    if (toast.duration === undefined || held) return
    const timer = setTimeout(() => setLeft(true), toast.duration)
    return () => clearTimeout(timer)
  }, [toast.duration, held])
  return (
    <Transition
      mounted={shown && !left}
      transition="fade"
      duration={SHOW}
      exitDuration={HIDE}
      onExited={() => toastStore.dismiss(toast.id)}
    >
      {(style) => (
        <Notification
          className={css.toast}
          style={style}
          role={toast.kind === 'error' ? 'alert' : 'status'}
          title={toast.to ? <Way toast={toast} to={toast.to} /> : toast.title}
          color={toast.kind}
          icon={<Glyph shape={shapes[toast.kind]} colour={toast.kind} size={18} />}
          withBorder
          closeButtonProps={{ 'aria-label': kitWords().close }}
          onClose={() => toastStore.dismiss(toast.id)}
          onMouseEnter={() => setHeld(true)}
          onMouseLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          {toast.body && <Linkified text={toast.body} />}
          {toast.date && <time className={css.date}>{toast.date}</time>}
          {toast.undo && <Undo id={toast.id} undo={toast.undo} title={toast.title} />}
        </Notification>
      )}
    </Transition>
  )
}

const Undo = ({ id, undo, title }: { id: number; undo: () => unknown; title: string }) => (
  <Button
    mt={8}
    size="xs"
    variant="default"
    aria-label={`${frameTexts().undo}: ${title}`}
    onClick={() => {
      toastStore.dismiss(id)
      void undo()
    }}
  >
    {frameTexts().undo}
  </Button>
)

/** A link by the router, so that the guard for unsaved changes runs. */
const Way = ({ toast: { id, title }, to }: { toast: Toast; to: string }) => (
  <Anchor
    href={to}
    inherit
    c="inherit"
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      toastStore.dismiss(id)
      goTo(to)
    }}
  >
    {title}
  </Anchor>
)
