import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { openMemory } from '../engine/open.js'

/** Nine languages: who, what they do, where; and a memory to be found again by a part of it. */
const LANGUAGES: Record<string, { parts: [string[], string[], string[]]; gap?: string; memory: string; cue: string }> =
  {
    English: {
      parts: [
        ['My sister', 'The neighbour', 'Our teacher', 'A colleague', 'The doctor'],
        ['bought bread', 'lost a key', 'painted a wall', 'read a novel', 'sold the car'],
        ['in town', 'on Monday', 'last summer'],
      ],
      memory: 'Grandfather hid his pocket watch inside the old piano',
      cue: 'where is the pocket watch?',
    },
    German: {
      parts: [
        ['Meine Schwester', 'Der Nachbar', 'Unsere Lehrerin', 'Ein Kollege', 'Die Ärztin'],
        ['kaufte Brot', 'verlor den Schlüssel', 'strich die Wand', 'las einen Roman', 'verkaufte das Auto'],
        ['in der Stadt', 'am Montag', 'letzten Sommer'],
      ],
      memory: 'Großvater versteckte seine Taschenuhr im alten Klavier',
      cue: 'Wo ist die Taschenuhr?',
    },
    Russian: {
      parts: [
        ['Моя сестра', 'Сосед', 'Наша учительница', 'Коллега', 'Доктор'],
        ['купил хлеб', 'потерял ключ', 'покрасил стену', 'читал роман', 'продал машину'],
        ['в городе', 'в понедельник', 'прошлым летом'],
      ],
      memory: 'Дедушка спрятал карманные часы внутри старого пианино',
      cue: 'где карманные часы?',
    },
    Chinese: {
      parts: [
        ['我妹妹', '邻居', '我们的老师', '一个同事', '医生'],
        ['买了面包', '丢了钥匙', '刷了墙', '读了小说', '卖了汽车'],
        ['在城里', '星期一', '去年夏天'],
      ],
      gap: '',
      memory: '爷爷把怀表藏在旧钢琴里面',
      cue: '怀表在哪里？',
    },
    Japanese: {
      parts: [
        ['妹は', '隣の人は', '先生は', '同僚は', '医者は'],
        ['パンを買った', '鍵をなくした', '壁を塗った', '小説を読んだ', '車を売った'],
        ['町で', '月曜日に', '去年の夏'],
      ],
      gap: '',
      memory: '祖父は懐中時計を古いピアノの中に隠した',
      cue: '懐中時計はどこ？',
    },
    Thai: {
      parts: [
        ['น้องสาว', 'เพื่อนบ้าน', 'ครูของเรา', 'เพื่อนร่วมงาน', 'หมอ'],
        ['ซื้อขนมปัง', 'ทำกุญแจหาย', 'ทาสีผนัง', 'อ่านนิยาย', 'ขายรถ'],
        ['ในเมือง', 'วันจันทร์', 'ฤดูร้อนที่แล้ว'],
      ],
      gap: '',
      memory: 'คุณปู่ซ่อนนาฬิกาพกไว้ในเปียโนเก่า',
      cue: 'นาฬิกาพกอยู่ที่ไหน',
    },
    Hindi: {
      parts: [
        ['मेरी बहन ने', 'पड़ोसी ने', 'हमारे शिक्षक ने', 'एक सहकर्मी ने', 'डॉक्टर ने'],
        ['रोटी खरीदी', 'चाबी खो दी', 'दीवार रंगी', 'उपन्यास पढ़ा', 'गाड़ी बेची'],
        ['शहर में', 'सोमवार को', 'पिछली गर्मी'],
      ],
      memory: 'दादाजी ने अपनी जेब घड़ी पुराने पियानो में छिपाई',
      cue: 'जेब घड़ी कहाँ है?',
    },
    Arabic: {
      parts: [
        ['أختي', 'الجار', 'معلمتنا', 'زميل', 'الطبيب'],
        ['اشترى خبزا', 'فقد المفتاح', 'دهن الجدار', 'قرأ رواية', 'باع السيارة'],
        ['في المدينة', 'يوم الاثنين', 'في الصيف الماضي'],
      ],
      memory: 'أخفى جدي ساعة الجيب داخل البيانو القديم',
      cue: 'أين ساعة الجيب؟',
    },
    Korean: {
      parts: [
        ['여동생이', '이웃이', '우리 선생님이', '동료가', '의사가'],
        ['빵을 샀다', '열쇠를 잃어버렸다', '벽을 칠했다', '소설을 읽었다', '차를 팔았다'],
        ['시내에서', '월요일에', '지난 여름에'],
      ],
      memory: '할아버지는 회중시계를 낡은 피아노 안에 숨겼다',
      cue: '회중시계는 어디에 있어?',
    },
  }

let db: Engine
beforeAll(async () => {
  db = await openMemory()
  const others = Object.values(LANGUAGES).flatMap(({ parts: [who, what, where], gap = ' ' }) =>
    who.flatMap((one) => what.map((two, i) => ({ text: [one, two, where[i % where.length]].join(gap) }))),
  )
  expect(others.length).toBeGreaterThan(200)
  const wanted = Object.entries(LANGUAGES).map(([id, { memory }]) => ({ id, text: memory }))
  await db.observeMany([
    ...others.slice(0, 100),
    ...wanted,
    ...others.slice(100),
    { id: 'party', text: '🎂🎉 Sunday 🎈' },
    { id: 'flag', text: '🇯🇵 trip ✈️' },
  ])
})
afterAll(() => db.close())

test.each(Object.entries(LANGUAGES))('%s is found by a part of it', async (id, { cue, memory }) => {
  const { matches } = await db.recall(cue, { k: 3 })
  expect(matches[0]).toMatchObject({ id, text: memory })
  expect(matches[0].tier).not.toBe('nearest')
})

test.each(Object.entries(LANGUAGES))('%s is found by itself, whatever its form and case', async (id, { memory }) => {
  for (const cue of [memory.normalize('NFD'), memory.toUpperCase(), memory.toLowerCase()]) {
    expect((await db.recall(cue, { k: 1 })).matches[0].id).toBe(id)
  }
})

test.each([
  ['🎂', 'party'],
  ['🎈?', 'party'],
  ['🇯🇵', 'flag'],
  ['✈', 'flag'],
  ['✈️', 'flag'],
])('%s finds %s', async (cue, id) => {
  expect((await db.recall(cue, { k: 1 })).matches[0].id).toBe(id)
})
