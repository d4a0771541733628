import { type ComponentType, type ReactNode, useDeferredValue, useMemo } from 'react'

/** Renders a part with deferred props, after its surroundings, so that clicks are answered first. */
export function later<P extends object>(Part: ComponentType<P>): (props: P) => ReactNode {
  return function Later(props) {
    const calm = useDeferredValue(props)
    return useMemo(() => <Part {...calm} />, [calm])
  }
}
