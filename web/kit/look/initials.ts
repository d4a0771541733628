/** Letters of a key tag: UR for "User roles", DNS for "DNS", We for "Websites". */
export function initials(label: string): string {
  const words = label.split(/[\s/]+/).filter(Boolean)
  if (words.length > 1)
    return words
      .slice(0, 3)
      .map((word) => word.slice(0, 1).toUpperCase())
      .join('')
  return label === label.toUpperCase() ? label : label.slice(0, 2)
}
