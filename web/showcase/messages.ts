import type { Message } from '../kit/conversation/messages.ts'

const mari = { name: 'Mari Tveit', isStaff: false }
const jonas = { name: 'Jonas Vestergaard', isStaff: true }
const picture = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#92d1d5"/><text x="24" y="100" font-size="24">The old page</text></svg>',
)}`
const start = Date.parse('2026-11-19T13:12:00Z')
const words = [
  'Our agency moved the site yesterday. They said that everything is done.',
  'I am looking at it now. Did anybody change the DNS lately?',
  'Can you change that? I do not dare to touch it.\nhttps://shop.nordlys-kaffe.example/cart still shows the old page.',
  'The name still answers from 185.14.97.20, which is the old provider. The A record has to be 77.40.158.13. '.repeat(
    4,
  ),
  'مرحبا، متجرنا يعرض صفحة قديمة منذ هذا الصباح',
  'Thank you.',
]

/** Generated messages, the same each time: two people, some notes, a picture, a long text. */
export function messages(count: number): Message[] {
  let at = start
  return Array.from({ length: count }, (_, n): Message => {
    at += (n % 9 === 3 ? 215 : n % 400 === 399 ? 40_000 : 25) * 1000
    const more: Partial<Message> =
      n === 0
        ? { kind: 'event', text: 'Chat started from the customer area, page Domains.' }
        : n === 4
          ? { images: [{ src: picture, alt: 'The page as the customer sees it' }] }
          : n === 7
            ? { kind: 'note', author: jonas, text: 'The zone is at the old provider. Ask for the transfer code.' }
            : n === 9
              ? { files: [{ name: 'nameservers.txt', size: 2140, href: '#' }], editedAt: new Date(at).toISOString() }
              : n === 12
                ? { text: 'A very long log. '.repeat(6000) }
                : {}
    return {
      id: String(n),
      at: new Date(at).toISOString(),
      author: n % 5 < 2 ? mari : jonas,
      text: words[n % words.length] ?? '',
      ...more,
    }
  })
}
