import { type LinkComponent, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import css from './cells.module.css'

/** The first cell of a list: what the row is, as a `NameLink`, and below it whose it is or what else tells it apart. */
export const NameCell = ({ children, below }: { children: ReactNode; below: ReactNode }) => (
  <div className={css.name}>
    {children}
    <div className={`${css.small} ${css.dim} ${css.truncate}`}>{below}</div>
  </div>
)

interface Props {
  to: string
  params?: Record<string, string>
  title?: string
  children: ReactNode
}

/** Milliseconds that a pointer has to rest on it before its screen is fetched. */
const RESTS = 50

function RowLink({ to, params = {}, title, children }: Props) {
  const router = useRouter()
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => clearTimeout(resting.current)
  useEffect(() => () => clearTimeout(resting.current), [])
  const href = to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.altKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void router.navigate({ to: href })
  }
  const rest = () => {
    leave()
    // what cannot be fetched is said when it is opened
    resting.current = setTimeout(() => void router.preloadRoute({ to: href }).catch(() => undefined), RESTS)
  }
  return (
    <a
      href={href}
      title={title}
      className={`${css.text} ${css.link} ${css.truncate}`}
      onClick={follow}
      onMouseEnter={rest}
      onMouseLeave={leave}
      onFocus={rest}
      onBlur={leave}
    >
      {children}
    </a>
  )
}

/**
 * The name of a row, which leads to its page: no blue in a column of links. Typed by the paths of all screens as any link; but a link of
 * the router's works out its address anew with every step anybody takes, and a list has hundreds of them.
 */
export const NameLink = RowLink as unknown as LinkComponent<'a'>
