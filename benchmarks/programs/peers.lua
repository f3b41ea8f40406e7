-- peers.lua: the small programs and Breakthrough in Lua.  Usage: luajit peers.lua NAME SIZE MILLISECONDS
-- The function run.NAME implements the algorithm of the word run-NAME in the Forth texts.  Needs LuaJIT's
-- libraries `bit` and `ffi`.
local ffi = require("ffi")
local bit = require("bit")
local band, bxor = bit.band, bit.bxor
local run = {}

local function fib(n) if n < 2 then return 1 end return fib(n - 1) + fib(n - 2) end
run.fib = fib

local SIZE = 8190
local flags = ffi.new("int8_t[?]", SIZE + 2)
local function sieve()
  local count = 0
  ffi.fill(flags, SIZE, 1)
  for i = 0, SIZE - 1 do
    if flags[i] ~= 0 then
      local step = 2 * i + 3
      for k = step + i, SIZE - 1, step do flags[k] = 0 end
      count = count + 1
    end
  end
  return count
end
function run.sieve(rounds)
  local last = 0
  for _ = 1, rounds do last = sieve() end
  return last
end

local items = ffi.new("int32_t[1000]")
function run.bubble(n)
  local seed, sum = 74755, 0
  for i = 0, n - 1 do
    seed = band(seed * 1309 + 13849, 65535)
    items[i] = seed
  end
  for last = n - 1, 1, -1 do
    for i = 0, last - 1 do
      local low, high = items[i], items[i + 1]
      if low > high then items[i], items[i + 1] = high, low end
    end
  end
  for i = 0, n - 1 do sum = band(sum + items[i] * i, 65535) end
  return sum
end

local ORDER = 40
local ma, mb, mc = ffi.new("int32_t[1600]"), ffi.new("int32_t[1600]"), ffi.new("int32_t[1600]")
local function multiply()
  for row = 0, ORDER - 1 do
    for col = 0, ORDER - 1 do
      local sum = 0
      for k = 0, ORDER - 1 do sum = sum + ma[row * ORDER + k] * mb[k * ORDER + col] end
      mc[row * ORDER + col] = sum
    end
  end
end
function run.matmul(rounds)
  for row = 0, ORDER - 1 do
    for col = 0, ORDER - 1 do
      ma[row * ORDER + col] = (row * 3 + col) % 11
      mb[row * ORDER + col] = (row + col * 5) % 13
    end
  end
  for _ = 1, rounds do multiply() end
  local sum = 0
  for row = 0, ORDER - 1 do
    for col = 0, ORDER - 1 do
      sum = band(sum + mc[row * ORDER + col] * (row + col + 1), 65535)
    end
  end
  return sum
end

local actions = {
  [0] = function(n) return n + 1 end,
  function(n) return n + 3 end,
  function(n) return n + n end,
  function(n) return bxor(n, 43690) end,
}
local outer, middle, inner
local function by_table(n, i) return actions[band(i, 3)](n) end
local function by_inner(n, i) return inner(n + 7, i) end
local function by_middle(n, i)
  if band(i, 1) ~= 0 then return middle(n, i) end
  return inner(n, i)
end
function run.defer(rounds)
  local n = 1
  inner, middle, outer = by_table, by_inner, by_middle
  for i = 0, rounds - 1 do n = band(outer(n, i), 65535) end
  return n
end

local NOWHERE = 64
local squares = ffi.new("uint8_t[64]")
local links = ffi.new("uint8_t[512]")
local steps = { { -1, 0 }, { 1, 0 }, { 0, 1 }, { 0, -1 }, { -1, 1 }, { -1, -1 }, { 1, 1 }, { 1, -1 } }
local function set_up()
  for dir = 0, 7 do
    for pos = 0, 63 do
      local row = math.floor(pos / 8) + steps[dir + 1][1]
      local col = pos % 8 + steps[dir + 1][2]
      local inside = row >= 0 and row < 8 and col >= 0 and col < 8
      links[dir * 64 + pos] = inside and 8 * row + col or NOWHERE
    end
  end
  for pos = 0, 63 do squares[pos] = pos * 5 % 7 % 3 end
end
local function scan_board()
  local total = 0
  for pos = 0, 63 do
    if squares[pos] == 1 then
      for dir = 0, 7 do
        local here = pos
        while links[dir * 64 + here] ~= NOWHERE do
          here = links[dir * 64 + here]
          if squares[here] ~= 0 then break end
          total = total + 1
        end
        if squares[here] == 2 then total = total + 3 end
      end
    end
  end
  return total
end
function run.scan(rounds)
  local sum = 0
  set_up()
  for _ = 1, rounds do sum = sum + scan_board() end
  return sum
end

-- Breakthrough: squares 0 (a8) to 63 (h1); 0 empty, 1 White, 2 Black.
local board = ffi.new("int8_t[64]")
local men = ffi.new("int32_t[3]")
-- The moves of all plies, by index: from, to and captured piece.
local from, to, taken = ffi.new("uint8_t[4096]"), ffi.new("uint8_t[4096]"), ffi.new("uint8_t[4096]")
local nodes, plies, seed = 0, 0, 1

local function begin()
  ffi.fill(board, 64, 0)
  for i = 0, 15 do
    board[i] = 2
    board[48 + i] = 1
  end
  men[0], men[1], men[2] = 0, 16, 16
end

-- Appends the moves of a side to the list from index `top`; returns the new end of the list.
local function generate(side, top)
  local ahead = side == 1 and -8 or 8
  for square = 0, 63 do
    local goal = square + ahead
    if board[square] == side and goal >= 0 and goal <= 63 then
      if board[goal] == 0 then
        from[top], to[top], taken[top] = square, goal, 0
        top = top + 1
      end
      if band(square, 7) ~= 0 and board[goal - 1] ~= side then
        from[top], to[top], taken[top] = square, goal - 1, board[goal - 1]
        top = top + 1
      end
      if band(square, 7) ~= 7 and board[goal + 1] ~= side then
        from[top], to[top], taken[top] = square, goal + 1, board[goal + 1]
        top = top + 1
      end
    end
  end
  return top
end

local function make(side, at)
  board[to[at]] = side
  board[from[at]] = 0
  if taken[at] ~= 0 then men[taken[at]] = men[taken[at]] - 1 end
end

local function unmake(side, at)
  board[from[at]] = side
  board[to[at]] = taken[at]
  if taken[at] ~= 0 then men[taken[at]] = men[taken[at]] + 1 end
end

local function won(side, at)
  local reached
  if side == 1 then reached = to[at] < 8 else reached = to[at] > 55 end
  return reached or men[3 - side] == 0
end

local function perft(side, depth, top)
  local last = generate(side, top)
  if depth == 1 then return last - top end
  local leaves = 0
  for at = top, last - 1 do
    make(side, at)
    if not won(side, at) then leaves = leaves + perft(3 - side, depth - 1, last) end
    unmake(side, at)
  end
  return leaves
end
function run.perft(depth)
  begin()
  return perft(1, depth, 0)
end

local function search(side, depth, alpha, beta, top)
  nodes = nodes + 1
  if depth == 0 then return men[side] - men[3 - side] end
  local last = generate(side, top)
  for at = top, last - 1 do
    local value
    make(side, at)
    if won(side, at) then
      nodes = nodes + 1
      value = 100000 + depth
    else
      value = -search(3 - side, depth - 1, -beta, -alpha, last)
    end
    unmake(side, at)
    if value > alpha then alpha = value end
    if alpha >= beta then break end
  end
  return alpha
end
function run.score(depth)
  begin()
  nodes = 0
  return search(1, depth, -1000000, 1000000, 0)
end
function run.negamax(depth)
  run.score(depth)
  return nodes
end

-- A product of 31 by 31 bits does not fit into a double: the upper half is used modulo 2^31.
local function draw(below)
  local high, low = math.floor(seed / 65536), seed % 65536
  seed = (high * 1103515245 % 32768 * 65536 + low * 1103515245 + 12345) % 2147483648
  return math.floor(seed / 65536) % below
end

local function playout()
  local side = 1
  begin()
  while true do
    local at = draw(generate(side, 0))
    make(side, at)
    plies = plies + 1
    if won(side, at) then return side end
    side = 3 - side
  end
end
function run.playouts(games)
  local wins = 0
  seed, plies = 1, 0
  for _ = 1, games do
    if playout() == 1 then wins = wins + 1 end
  end
  return wins
end
function run.plies(games)
  run.playouts(games)
  return plies
end

local work, size, milliseconds = run[arg[1]], tonumber(arg[2]), tonumber(arg[3])
local began, runs, result = os.clock(), 0, nil
repeat
  result = work(size)
  runs = runs + 1
until os.clock() - began >= 1e-3 * milliseconds
print(string.format("%.0f %d %d", 1e6 * (os.clock() - began), runs, result))
