import { type ComponentType, type ReactNode, useDeferredValue, useMemo } from 'react'

/** A part that may follow a moment after what it stands beside: whoever clicks is answered first. */
export function later<P extends object>(Part: ComponentType<P>): (props: P) => ReactNode {
  return function Later(props) {
    const calm = useDeferredValue(props)
    return useMemo(() => <Part {...calm} />, [calm])
  }
}
