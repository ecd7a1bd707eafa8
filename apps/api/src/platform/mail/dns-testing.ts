import { createSocket } from 'node:dgram'

export type Zone = Record<string, { txt?: string[]; mx?: string[] }>

/** A DNS server on this machine that knows a few names; asked about others it says that there are none, and about `silent` ones nothing. */
export async function startDns(zone: Zone, silent: readonly string[] = []): Promise<{ address: string; asked: string[]; close(): void }> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString())
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(at + 1)
    asked.push(name)
    if (silent.includes(name)) return
    const known = zone[name]
    const answers = (type === 16 ? (known?.txt ?? []).map(textData) : type === 15 ? (known?.mx ?? []).map(exchangeData) : []).map(
      (data) => {
        const head = Buffer.alloc(12)
        head.writeUInt16BE(0xc00c, 0)
        head.writeUInt16BE(type, 2)
        head.writeUInt16BE(1, 4)
        head.writeUInt32BE(60, 6)
        head.writeUInt16BE(data.length, 10)
        return Buffer.concat([head, data])
      },
    )
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() }
}

/** Strings of a record have at most 255 bytes each. */
function textData(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]))
}

function exchangeData(host: string): Buffer {
  const name = host.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  return Buffer.concat([Buffer.from([0, 10]), ...name, Buffer.from([0])])
}
