5 -4 !   \ expect error: address outside memory: 0xfffffffc (-4)
