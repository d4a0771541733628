import { useLocalStorage } from '@mantine/hooks'

/** Words that a person chose on this device: closed areas, open groups, pins. The newest stand last. */
export function useStoredWords(key: string) {
  const [words, setWords] = useLocalStorage<string[]>({ key, defaultValue: [], getInitialValueInEffect: false })
  const toggle = (word: string) =>
    setWords((now) => (now.includes(word) ? now.filter((one) => one !== word) : [...now, word]))
  const add = (word: string) => setWords((now) => (now.includes(word) ? now : [...now, word]))
  return { words, toggle, add }
}
