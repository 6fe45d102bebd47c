/** A line of a page: its text, the size of its font and its height on the page, in points. */
export interface PdfLine {
  readonly text: string
  readonly size: number
  readonly y: number
  readonly x?: number
}

/** A PDF of such pages, in Helvetica; of Latin-1 characters alone. */
export function pdfFile(pages: readonly (readonly PdfLine[])[], title = ''): Uint8Array {
  const objects: string[] = []
  const add = (body: string) => objects.push(body) // its number
  const catalog = add('<< /Type /Catalog /Pages 2 0 R >>')
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  for (const lines of pages) {
    const content = lines
      .map(({ text, size, y, x = 72 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`)
      .join('\n')
    const number = objects.length + 1
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> ` +
        `/Contents ${number + 1} 0 R >>`,
    )
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  const info = add(`<< /Title (${escaped(title)}) >>`)
  let file = '%PDF-1.4\n'
  const offsets = objects.map((body, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const xref = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const at of offsets) file += `${String(at).padStart(10, '0')} 00000 n \n`
  const trailer = `<< /Size ${objects.length + 1} /Root ${catalog} 0 R /Info ${info} 0 R >>`
  file += `trailer\n${trailer}\nstartxref\n${xref}\n%%EOF\n`
  return Uint8Array.from(file, (character) => character.charCodeAt(0))
}

function escaped(text: string): string {
  return text.replace(/[()\\]/g, '\\$&')
}

/** Lines of body text from a height on, one below the other. */
export function paragraph(y: number, ...texts: readonly string[]): PdfLine[] {
  return texts.map((text, i) => ({ text, size: 10, y: y - 12 * i }))
}
