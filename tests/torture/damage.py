"""Damages the bytes of a file at random, and repairs the checksums of HDF5's own structures, as a forger
would."""
import struct

WORD = 0xFFFFFFFF
SEAL_FOOTER = 40


IN_PLACE = ("flip", "byte", "zero", "swap")


def damaged(data, random, kinds=("flip", "flip", "byte", "zero", "cut", "insert", "delete", "swap", "copy", "near")):
    """Returns the data with one to three damages: flipped bits, other bytes, zeros, a cut, an insertion, a
    deletion, two swapped blocks, a copied block, a byte set near the value of another."""
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not data:
            break
        kind = random.choice(kinds)
        at = random.randrange(len(data))
        length = min(1 + int(random.paretovariate(0.7)), max(1, len(data) // 2))
        if kind == "flip":
            for _ in range(random.choice((1, 1, 2, 8))):
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        elif kind == "byte":
            data[at] = random.choice((0, 1, 9, 10, 13, 32, 34, 44, 45, 48, 57, 127, 128, 255, random.randrange(256)))
        elif kind == "zero":
            data[at:at + length] = bytes(len(data[at:at + length]))
        elif kind == "cut":
            del data[at:]
        elif kind == "insert":
            data[at:at] = random.randbytes(min(length, 4096))
        elif kind == "delete":
            del data[at:at + length]
        elif kind == "near":  # a size, or one more or less, which may be just out of range
            data[not_zero(data, random)] = (data[not_zero(data, random)] + random.choice((-1, 0, 1))) % 256
        elif kind == "copy":
            data[at:at] = data[random.randrange(len(data)):][:min(length, 4096)]
        else:
            length = min(length, len(data) // 2)
            one = random.randrange(len(data) - 2 * length + 1)
            two = random.randrange(one + length, len(data) - length + 1)
            first, second = data[one:one + length], data[two:two + length]
            data[one:one + length], data[two:two + length] = second, first
    return bytes(data)


def not_zero(data, random):
    """Returns the index of a random byte other than 0; any index if there are few such bytes."""
    places = random.choices(range(len(data)), k=64)
    return next((place for place in places if data[place]), places[0])


def without_seal(data):
    """Returns the HDF5 data of a file of Lockstep, without the seal after it."""
    if data[-SEAL_FOOTER:][:8] != b"LOCKSEAL":
        return data
    return data[:struct.unpack_from("<Q", data, len(data) - SEAL_FOOTER + 16)[0]]


def lookup3(data):
    """Returns the lookup3 hash of Bob Jenkins, which HDF5 stores after each of its own structures."""
    def turned(x, k):
        return (x << k | x >> (32 - k)) & WORD

    a = b = c = (0xDEADBEEF + len(data)) & WORD
    words = struct.unpack(f"<{-(-len(data) // 12) * 3}I", bytes(data) + bytes(-len(data) % 12))
    for i in range(0, len(words), 3):
        a, b, c = (a + words[i]) & WORD, (b + words[i + 1]) & WORD, (c + words[i + 2]) & WORD
        if i + 3 == len(words):
            break
        for k in (4, 6, 8, 16, 19, 4):  # the three variables rotate from step to step
            a = (a - c) & WORD ^ turned(c, k)
            c = (c + b) & WORD
            a, b, c = b, c, a
    for k in (14, 11, 25, 16, 4, 14, 24) if words else ():
        c = ((c ^ b) - turned(b, k)) & WORD
        a, b, c = b, c, a
    return b if words else c


def checksums(data):
    """Returns (begin, end) of the structures of an HDF5 file, each of which is followed by its checksum."""
    places = [(0, 44)]
    begin = 0
    names = (b"OHDR", b"OCHK", b"BTHD", b"BTLF", b"BTIN", b"FRHP", b"FHDB", b"FHIB", b"EAHD", b"EAIB", b"EASB", b"EADB", b"FAHD", b"FADB")
    starts = sorted({i for name in names for i in range(len(data)) if data[i:i + 4] == name})
    for begin in starts:
        for end in range(begin + 8, min(begin + 1500, len(data) - 3)):
            if data[end:end + 4] == struct.pack("<I", lookup3(data[begin:end])):
                places.append((begin, end))
                break
    return places


def repaired(data, places):
    data = bytearray(data)
    for begin, end in places:
        data[end:end + 4] = struct.pack("<I", lookup3(data[begin:end]))
    return bytes(data)
