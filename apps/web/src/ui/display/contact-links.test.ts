import { expect, test } from 'vitest'
import { callLink, mailLink, webLink } from './contact-links.ts'

test.each([
  ['ada+work@example.org', 'mailto:ada+work@example.org'],
  ['a@b.example?bcc=x@y.example', 'mailto:a@b.example%3Fbcc%3Dx@y.example'],
  ['a@b.example,x@y.example', 'mailto:a@b.example%2Cx@y.example'],
  ['a%0d%0abcc:x@b.example', 'mailto:a%250d%250abcc%3Ax@b.example'],
  ['r&d@b.example', 'mailto:r%26d@b.example'],
])('a mail to %s goes to that address alone', (address, link) => {
  expect(mailLink(address)).toBe(link)
  expect([...new URL(mailLink(address)).searchParams]).toEqual([])
})

test('the subject is a subject and nothing else', () => {
  const { searchParams } = new URL(mailLink('a@b.example', 'Re: dues & fees&bcc=x@y.example'))
  expect([...searchParams]).toEqual([['subject', 'Re: dues & fees&bcc=x@y.example']])
})

test.each([
  ['+49 (30) 90 18-20', 'tel:+4930901820'],
  ['030 901820 ext. 7', 'tel:030901820'],
  ['*2767*3855#', 'tel:'],
  ['123;phone-context=evil.example', 'tel:123'],
])('%s is called as %s', (number, link) => expect(callLink(number)).toBe(link))

test('a link leads to the web only', () => {
  expect(webLink('HTTPS://example.org/a?b')).toBe('HTTPS://example.org/a?b')
  for (const address of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    'https://',
    'x',
  ])
    expect(webLink(address), address).toBeUndefined()
})
