import { Text } from '@mantine/core'
import { Avatar } from '../look/Avatar.tsx'
import css from './Composer.module.css'
import type { Person } from './mentions.ts'

interface Props {
  id: string
  people: readonly Person[]
  nth: number
  onPick: (person: Person) => void
}

/** The people to mention. The focus stays in the text field, whose `aria-activedescendant` names the chosen one. */
export const MentionList = ({ id, people, nth, onPick }: Props) => (
  <div role="listbox" id={`${id}-people`} aria-label="People to mention" className={css.people}>
    {people.map((person, n) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the text field hears the keys
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
      <div
        key={person.id}
        role="option"
        id={`${id}-person-${n}`}
        aria-selected={n === nth}
        className={css.person}
        // keeps the focus in the text field
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onPick(person)}
      >
        <Avatar name={person.name} image={person.image} size={24} />
        <div>
          <Text translate="no">{person.name}</Text>
          {person.hint && (
            <Text c="dimmed" fz="xs">
              {person.hint}
            </Text>
          )}
        </div>
      </div>
    ))}
  </div>
)
