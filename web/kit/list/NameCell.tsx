import { type LinkComponent, useRouter } from '@tanstack/react-router'
import { createContext, type MouseEvent, type ReactNode, useContext, useEffect, useRef } from 'react'
import css from './cells.module.css'

/** First cell of a row: its name as a `NameLink`, and a second line such as its owner. */
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

/** Milliseconds of hover before the code of the screen is fetched. */
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
    // a failed fetch is reported when the screen opens
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
 * The name of a row as a link to its page, without link colour. Typed by the routes, like any link. A plain anchor
 * instead of the router's link, which would recompute hundreds of addresses at every navigation.
 */
export const NameLink = RowLink as unknown as LinkComponent<'a'>

/** Path of the page of the row around a cell, from `open` of the list. */
export const RowPath = createContext<string | undefined>(undefined)

/**
 * The name of a row as a link to the page that a click on the row opens, so that the keyboard reaches the page. For rows
 * whose path depends on the screen; `NameLink` where the route is known.
 */
export function RowName({ children }: { children: ReactNode }) {
  const path = useContext(RowPath)
  return path === undefined ? children : <RowLink to={path}>{children}</RowLink>
}
