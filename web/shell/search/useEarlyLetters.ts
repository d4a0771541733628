import { useEffect } from 'react'
import { searchStore } from '../../kit/frame/search.ts'

/**
 * Letters that are typed after the search has opened and before its field has the focus go to the field: on a busy machine the
 * first ones would be lost, or would be keys of the page.
 */
export function useEarlyLetters(add: (letter: string) => void): void {
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isLetter || !searchStore.getState().opened || document.activeElement?.matches('[role="dialog"] input'))
        return
      event.preventDefault()
      event.stopImmediatePropagation()
      add(event.key)
    }
    window.addEventListener('keydown', take, { capture: true })
    return () => window.removeEventListener('keydown', take, { capture: true })
  }, [add])
}
